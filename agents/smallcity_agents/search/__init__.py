"""Parts of the search agents: options, sequential halving, trees, playouts, leaf evaluation."""
