# Stands for `helpers/extension.py` of agent-zero: the class that extensions are made of.


class Extension:
    def __init__(self, agent, **kwargs):
        self.agent = agent
        self.kwargs = kwargs

    async def execute(self, **kwargs):
        pass
