// Adds new posts to the pages below /home while they are open, and counts characters. Everything works without it.
