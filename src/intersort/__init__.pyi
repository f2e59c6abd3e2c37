from ._validation import InputError as InputError
from ._warnings import ConstantControlWarning as ConstantControlWarning
from ._warnings import IntersortWarning as IntersortWarning
from ._warnings import MetadataColumnWarning as MetadataColumnWarning
from ._warnings import RawCountsWarning as RawCountsWarning
from ._warnings import UnusedRowsWarning as UnusedRowsWarning
from ._warnings import WeakBonusWarning as WeakBonusWarning
from .data import InterventionalData as InterventionalData
from .effects.effects import Effects as Effects
from .effects.effects import read_effects as read_effects
from .effects.measure import measure_effects as measure_effects
from .effects.null import null_threshold as null_threshold
from .estimator import Intersort as Intersort
from .metrics import compare_orders as compare_orders
from .metrics import d_top as d_top
from .orders.causal_order import CausalOrder as CausalOrder
from .orders.exact import ExactOrder as ExactOrder
from .orders.exact import exact_order as exact_order
from .orders.find import find_order as find_order
from .orders.local_search import local_search as local_search
from .orders.sort_ranking import SortRanking as SortRanking
from .orders.sort_ranking import sort_ranking as sort_ranking
from .readers import read_table as read_table
from .scores.paper import OrderScore as OrderScore
from .scores.paper import score_orders as score_orders

__version__: str
