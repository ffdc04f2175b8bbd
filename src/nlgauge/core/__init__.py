"""What a metric is: protocol, options, signature, registry, and the tables that scores fill."""
