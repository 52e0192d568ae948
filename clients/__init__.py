"""The program: terminal chat, embedded stack, and the tools of an operator."""
