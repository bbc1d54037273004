# Stands for `helpers/errors.py` of agent-zero.


class RepairableException(Exception):
    """Is told to the model, which may do something about it."""
