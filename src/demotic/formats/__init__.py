"""Other toolkits' files: Moses, cdec and Joshua tables and configurations, in and out."""
