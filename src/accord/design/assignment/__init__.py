"""Assignment: who judges what, in which order."""

from accord.design.assignment.make import plan_assignment
from accord.design.assignment.plan import AssignmentPlan, Role, Task, Unit
from accord.design.assignment.replan import replan

__all__ = ["AssignmentPlan", "Role", "Task", "Unit", "plan_assignment", "replan"]
