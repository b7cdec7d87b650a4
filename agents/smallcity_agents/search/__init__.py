"""What the search agents share: options, sequential halving, trees, playouts, leaf evaluation."""
