"""The training screen's own: what happens at the table, answers to players, and who is called. There in the demo and
under `natural9 train` only, and only for tables that are set aside for it."""

from typing import Annotated

from litestar import Controller, Router, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from natural9.core.errors import BadInput
from natural9.core.saying import say
from natural9.server.people.guards import requires
from natural9.server.people.permissions import Action
from natural9.server.training.situations import LESSONS
from natural9.server.training.trainer import CALLED, Trainer, Trainings
from natural9.server.training.wire import TrainingView

TableName = Annotated[str, PathParameter(description="The id of a training table.", max_length=40)]


class CallSomebody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    rank: Annotated[str, Meta(max_length=40)]


class AnswerPlayer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    question: Annotated[int, Meta(ge=0, le=10_000)]
    choice: Annotated[int, Meta(ge=0, le=10)]


class DrillAgain(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`lessons`: only these; the others are not repeated. What is no lesson of its own, as a question, is left out."""

    lessons: Annotated[list[str], Meta(max_length=100)] = []


class TrainingController(Controller):
    path = "/api/training"
    include_in_schema = False
    guards = (requires(Action.DEAL),)

    @get("/{table:str}")
    async def see(self, table: TableName, trainings: NamedDependency[Trainings]) -> TrainingView:
        return await _trainer(trainings, table).see()

    @post("/{table:str}/call", status_code=200)
    async def call(
        self, table: TableName, data: JSONBody[CallSomebody], trainings: NamedDependency[Trainings]
    ) -> TrainingView:
        ranks = {rank.tag: rank for rank in CALLED}
        if data.rank not in ranks:
            raise BadInput("bad-rank", say("nobody of this rank is called to a table: {rank}", rank=repr(data.rank)))
        return await _trainer(trainings, table).call(ranks[data.rank])

    @post("/{table:str}/answer", status_code=200)
    async def answer(
        self, table: TableName, data: JSONBody[AnswerPlayer], trainings: NamedDependency[Trainings]
    ) -> TrainingView:
        return await _trainer(trainings, table).answer(data.question, data.choice)

    @post("/{table:str}/pass", status_code=200)
    async def let_pass(self, table: TableName, trainings: NamedDependency[Trainings]) -> TrainingView:
        return await _trainer(trainings, table).let_pass()

    @post("/{table:str}/finish", status_code=200)
    async def finish(self, table: TableName, trainings: NamedDependency[Trainings]) -> TrainingView:
        return await _trainer(trainings, table).finish()

    @post("/{table:str}/again", status_code=200)
    async def again(
        self, table: TableName, data: JSONBody[DrillAgain], trainings: NamedDependency[Trainings]
    ) -> TrainingView:
        lessons = tuple(one for one in dict.fromkeys(data.lessons) if one in LESSONS)
        return await _trainer(trainings, table).again(lessons)


def _trainer(trainings: Trainings, table: str) -> Trainer:
    if table not in trainings:
        raise BadInput("unknown-table", say("table {table} is not for training", table=repr(table[:40])))
    return trainings[table]


def training_router() -> Router:
    return Router(path="/", route_handlers=[TrainingController])
