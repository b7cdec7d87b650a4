"""What the search agents share: trees, playouts, leaf evaluation."""
