"""The records nearest to others, and how many tie: by a tree, inside windows, and for cells with blanks."""
