"""The contracts of learners, metrics and update rules, as checks that anybody can run on their own.

    from demotic.testing import check_learner, check_metric, check_update_rule

    check_metric(Precision)
    check_learner(Perceptron())
    check_update_rule(FirstViolation())

Each returns nothing, or raises ContractError, an AssertionError that says what is wrong.  The
package's own classes pass the same checks in its tests.
"""

from demotic.testing.contract import ContractError
from demotic.testing.learner_contract import Promises, check_learner
from demotic.testing.metric_contract import check_metric
from demotic.testing.update_rule_contract import check_update_rule

__all__ = ["ContractError", "Promises", "check_learner", "check_metric", "check_update_rule"]
