int guarded(int n) {
    try {
        if (n < 0) throw n;
        n = risky(n);
    } catch (const error &e) {
        n = 1;
    } catch (...) {
        throw;
    }
    return n;
}
