"""Training on the bitext: violation-fixing updates towards derivations of the references."""

from demotic.train.epochs import Epoch
from demotic.train.options import TrainOptions
from demotic.train.pairs import Bitext, TrainingPairs
from demotic.train.parts import Part, find_parts
from demotic.train.run import Trained, TrainReport, TrainRequest, train_model
from demotic.train.training import Training, TrainResult

__all__ = [
    "Bitext",
    "Epoch",
    "Part",
    "TrainOptions",
    "TrainReport",
    "TrainRequest",
    "TrainResult",
    "Trained",
    "Training",
    "TrainingPairs",
    "find_parts",
    "train_model",
]
