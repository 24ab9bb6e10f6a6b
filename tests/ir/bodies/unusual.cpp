template <typename... Args> void every(int n, Args... args) {
    call(args...);
    asm("nop");
    if (noexcept(call(1))) return;
    if constexpr (sizeof...(args) > 2) { call(1), call(2); }
    struct Local { int a; };
    using Real = float;
    Real r = static_cast<Real>(3);
}
