"""Numbers of the Godzillas module (section 14)."""

WAKE_ROUND = 5  # G2
DIE = 6
MARKERS = 40  # C4
GODZILLAS = (0, 1, 1, 2, 3)  # by players (C4)
CLEANED = 2  # markers the Engineer removes (G11)
METAL_AND_STONE = 3  # the factory level whose last two spaces it prefers (G3)
