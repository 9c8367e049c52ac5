"""What tests of your own backends, encodings, formats, exports and kinds of marks need: a function for each.

Each raises `Fault`, an AssertionError, at the first thing that is wrong; its text has the board and the candidates that
show it. They need no test framework, and satdoku's own backends, encodings, formats, exports and kinds pass them:

    from satdoku.testing import check_backend, check_encoding

    def test_my_backend():
        check_backend(MyBackend)

    def test_my_encoding():
        check_encoding(MY_ENCODING)

Below them are what they are made of: random boards with all their grids (`cases`), a search run to its end (`collect`),
and the comparison of the two (`first_fault`), which gives the fault as a text.
"""

from satdoku.testing.boards import Case as Case
from satdoku.testing.boards import all_different as all_different
from satdoku.testing.boards import automaton as automaton
from satdoku.testing.boards import brute_force as brute_force
from satdoku.testing.boards import case as case
from satdoku.testing.boards import cases as cases
from satdoku.testing.boards import cases_of_different_cells as cases_of_different_cells
from satdoku.testing.boards import linear as linear
from satdoku.testing.boards import random_board as random_board
from satdoku.testing.boards import random_candidates as random_candidates
from satdoku.testing.boards import random_classic as random_classic
from satdoku.testing.boards import random_hidden_board as random_hidden_board
from satdoku.testing.boards import random_puzzle as random_puzzle
from satdoku.testing.boards import table as table
from satdoku.testing.checks import check_backend as check_backend
from satdoku.testing.checks import check_encoding as check_encoding
from satdoku.testing.checks import check_export as check_export
from satdoku.testing.formats import check_format as check_format
from satdoku.testing.kinds import check_kind as check_kind
from satdoku.testing.searches import Fault as Fault
from satdoku.testing.searches import collect as collect
from satdoku.testing.searches import fault as fault
from satdoku.testing.searches import first_fault as first_fault
