int ordinary() { return 2; }
