"""The same mathematics on NVIDIA GPUs: whole shoes dealt, and shoes priced, by the hundred thousand at once.

Nothing here is loaded unless it is asked for; CuPy comes with the extra `gpu`.
"""
