struct Counter {
    int count;
    int step;
    Counter(int from) : count(from), step{2} { bump(); }
    void bump() { this->count += step; }
    int operator()(int n) const { return count + n; }
};
