"""The 9x9 board with 3x3 boxes, bit-parallel.

A state is vectors of lanes of sixteen bits, a digit or several in each. For a digit there is a lane for each row, which
holds the columns where that row still takes the digit, bit `3 * column of the box + box`; the other lanes are 0. One
instruction works on a digit in all rows, and what concerns a cell stands in the same bit of nine places. A step narrows
all digits: rows of a band have their digit in different boxes, which is hidden boxes and locked candidates at once;
bands of a stack have it in different columns; a digit with one place left in a row, and a cell with one digit left, are
placed. What a step places, the next one strikes, until one places nothing new. Then the search branches on a cell of
two digits, or after many nodes on the box of a row or the column of a box, see `branching`.

`narrow` says how digits lie in vectors: one in a vector of 256 bits. `search` is the kernel over that, and `wide` the
same functions compiled for three digits in a vector of 512 bits. Both take the same steps, so that they find the same
grids by the same nodes, in the same order.

Further cells that differ, such as those a knight's move apart, are a vector a cell: where its digit cannot be.

Locked candidates by vector operations, a lane a row of a box, follow tdoku (Tom Dillon, 2019); rows in lanes, and
choices of boxes as products of a 3x3 permanent, are our own.
"""
