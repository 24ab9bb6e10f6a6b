// A class whose base, as far as the text can be read, is the class itself.
t nur> struct configure : configure< { sint q; };
vot(int *a) {
  sycl::queue q;
  configure(q);
  q.parallel_for(64, [=](syid<1> i) { a= 1; });r(64, [=](syid<1> i) { b= a[ i]; });
}
