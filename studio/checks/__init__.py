"""Checks of maps and scenarios: findings with their place, rule and remedy."""

from studio.checks.finding import CATALOGUE, CheckInfo, Finding, Findings
from studio.checks.maps import check_map
from studio.checks.scenarios import check_scenario

__all__ = ["CATALOGUE", "CheckInfo", "Finding", "Findings", "check_map", "check_scenario"]
