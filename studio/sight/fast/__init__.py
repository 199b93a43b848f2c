"""Many lines at once, for the fast paths of the games: shadows ring by ring, bits displacement by displacement.

Nothing here knows a game. Fields of view are swept with shadows (``sectors``, ``shadows``, ``weighted``) or summed
along all lines from one hex (``sums``); tables judge all origins of one displacement at once (``pairs``, ``walks``,
``bits``, ``counters``), drawn shapes and sides included (``shapebits``, ``shapesides``).
"""
