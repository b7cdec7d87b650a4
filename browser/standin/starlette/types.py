"""Names of types for annotations, which nothing reads here."""

from typing import Any

ASGIApp = Message = Receive = Scope = Send = Any
