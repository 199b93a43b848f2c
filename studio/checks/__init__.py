"""Checks of maps and scenarios: findings with their place, rule and remedy."""

from studio.checks.finding import CATALOGUE, CheckInfo, Fault, Finding, Findings, tally
from studio.checks.lists import check_lists
from studio.checks.maps import check_map
from studio.checks.repairs import Repairs, plan_repairs
from studio.checks.scenarios import check_scenario

__all__ = [
    "CATALOGUE",
    "CheckInfo",
    "Fault",
    "Finding",
    "Findings",
    "Repairs",
    "check_lists",
    "check_map",
    "check_scenario",
    "plan_repairs",
    "tally",
]
