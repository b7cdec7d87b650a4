"""`smallcity web`: play in the browser, alone, with agents or with others in the network."""

import argparse
import os
import signal
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Final

from smallcity_env import files, terminal
from smallcity_env.cli import INTERRUPTED, TERMINATED
from smallcity_env.interrupt import Terminated
from smallcity_env.language import _
from smallcity_env.refusal import needing
from smallcity_env.terminal import Refused

from ..value_net import model

HOST: Final = "127.0.0.1"
EVERYWHERE: Final = "0.0.0.0"
ELSEWHERE: Final = "192.0.2.1"  # an address reserved for examples
PORT: Final = 8008
FOLDER: Final = Path("runs") / "web"
HIGHEST_PORT: Final = 65535
SWITCH: Final = 0.0005  # switch interval in seconds: threads back from disk or thinking do not wait long


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "--host", default=HOST, help=f"address to listen on, 0.0.0.0 for the network (default {HOST})"
    )
    parser.add_argument(
        "--port", type=terminal.number, default=PORT, help=f"0: any free one (default {PORT})"
    )
    parser.add_argument("--net", type=Path, metavar="FILE", help="value net of champion, levels and hints")
    own = "an agent of yours that tables may name, such as stdio:COMMAND; again for more"
    parser.add_argument("--agent", action="append", default=[], metavar="NAME", help=own)
    parser.add_argument("--no-open", action="store_true", help="do not open the browser")
    parser.add_argument("--games", type=Path, default=FOLDER, help=f"where games are kept (default {FOLDER})")
    parser.add_argument("--rate", type=terminal.count, default=60, help="requests a second from one address")
    parser.add_argument("--with-stdin", action="store_true", help=argparse.SUPPRESS)  # ends when it closes
    parser.add_argument("--most", type=terminal.count, default=1000, help="games kept (default 1000)")
    parser.add_argument(
        "--tables", type=terminal.count, default=100, help="games an address begins a day (default 100)"
    )
    parser.add_argument(
        "--connections", type=terminal.count, default=64, help="open ones of an address (default 64)"
    )


def run(args: argparse.Namespace) -> None:
    """Serve until interrupted."""
    if args.net:
        model.use(args.net)
    with needing("web"):
        from ..web import setup
        from ..web.server import application
        from ..web.serving import serve
    setup.offer(args.agent)
    listening = listen(args.host, args.port)
    app = application(args.games, args.rate, args.most, args.host, args.tables, args.net)
    _announce(args, listening.getsockname()[1])
    sys.setswitchinterval(SWITCH)
    if args.with_stdin:
        threading.Thread(target=_end_with_stdin, daemon=True).start()
    try:
        serve(app, listening, args.connections)
    except KeyboardInterrupt as stopped:
        _leave(stopped)


def _announce(args: argparse.Namespace, port: int) -> None:
    """Print the address, and open the browser there."""
    address = f"http://{_own_address() if args.host == EVERYWHERE else args.host}:{port}/"
    words = _(
        "Small City is at {address} (ctrl-C ends it; games are kept in {folder})",
        address=address,
        folder=args.games,
    )
    print(words, flush=True)
    if args.host not in (HOST, "localhost", "::1"):
        print(_("Everybody who reaches this address can open tables; seats need their links."), flush=True)
    if not args.no_open:
        threading.Timer(0.5, webbrowser.open, [address]).start()


def _leave(stopped: KeyboardInterrupt) -> None:
    """Exit at once: everything is on disk, and Python would wait for agents still thinking."""
    print(file=sys.stderr, flush=True)
    sys.stdout.flush()
    os._exit(TERMINATED if isinstance(stopped, Terminated) else INTERRUPTED)


def _end_with_stdin() -> None:
    """Exit together with the server that started this one."""
    sys.stdin.read()
    signal.raise_signal(signal.SIGINT)


def _own_address() -> str:
    """This machine's address in its network; nothing is sent to find it out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect((ELSEWHERE, 9))
            return str(asking.getsockname()[0])
        except OSError:
            return HOST


def listen(host: str, port: int) -> socket.socket:
    """A socket on this address; refuses one that is in use."""
    if port > HIGHEST_PORT:
        raise Refused(_("there is no port {port}: choose from 0 to {last}", port=port, last=HIGHEST_PORT))
    if not host:  # a socket would take it for every address of this machine
        raise Refused(
            _(
                "--host needs an address: {here}, or {everywhere} for the network",
                here=HOST,
                everywhere=EVERYWHERE,
            )
        )
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen()  # who follows the printed address at once waits instead of being refused
    except (OSError, TypeError) as wrong:  # TypeError: a name that cannot be encoded
        listening.close()
        why = files.reason(wrong) if isinstance(wrong, OSError) else str(wrong)
        raise Refused(_("cannot listen on {host}:{port}: {why}", host=host, port=port, why=why)) from None
    return listening
