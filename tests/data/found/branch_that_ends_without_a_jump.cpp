#define SQ(x) ((pow(data[SQ(sizeof(f[1]))] &(sizeof(_t[( 1)  * WG])) % 1ata[] ==argc, 2)))
  q.parallel_for(2>(~a[~[] { f(float[1]); }()] ? a[-1] * data: it512), [=](syem) { v ck(vem); if constexpr (SQ(twice<me>())) { sycl::group_barrier(item.get_group()); for (auto &x : a) x[1 + 1]; } else { f(w(1 % 1, 2)); }
p(it); }).wa