cdef extern from *:
    """
    #ifndef ND_HOLDS
    #define ND_HOLDS
    #include <cstddef>
    #include "free_threads.h"

    class Hold;

    /* Every kernel that runs without the GIL.  Read and written with the GIL, or by who has the lock. */
    struct HoldList {
      Hold* first;
      int lock;
    };

    /* One of them, with the addresses of its operands: any one within the memory of each.  It ends with its scope. */
    class Hold {
     public:
      Hold() = default;
      Hold(const Hold&) = delete;
      ~Hold() {
        if (!link) return;
        nd_spin(&list->lock);
        *link = next;
        if (next) next->link = link;
        nd_unspin(&list->lock);
      }

      template <class... Addresses>
      void add(HoldList* all, Addresses... addresses) {
        enter(all);
        const char* given[] = {(const char*)addresses...};
        for (const char* address : given) note(address);
        nd_unspin(&all->lock);
      }

      template <class Address>
      void add_all(HoldList* all, Address* addresses, long n) {
        enter(all);
        for (long i = 0; i < n; i++) note((const char*)addresses[i]);
        nd_unspin(&all->lock);
      }

      bool touches(const char* low, const char* high) const {
        if (is_everywhere) return true;
        for (int i = 0; i < n_addresses; i++)
          if (low <= addresses[i] && addresses[i] < high) return true;
        return false;
      }

      Hold* following() const { return next; }

     private:
      static const int MOST = 24;
    #if ND_FREE_THREADS
      HoldList* list;
    #endif
      Hold* next;
      Hold** link = nullptr; /* what points here; NULL before the first address is known */
      int n_addresses = 0;
      bool is_everywhere = false; /* it has more operands than addresses */
      const char* addresses[MOST];

      void enter(HoldList* all) {
        nd_spin(&all->lock);
        if (link) return;
    #if ND_FREE_THREADS
        list = all;
    #endif
        next = all->first;
        link = &all->first;
        if (next) next->link = &next;
        all->first = this;
      }

      void note(const char* address) {
        if (n_addresses < MOST) addresses[n_addresses++] = address;
        else is_everywhere = true;
      }
    };
    #endif
    """
    cdef cppclass HoldList:
        Hold* first
        int lock

    cdef cppclass Hold:
        void add(HoldList* list, ...)
        void add_all(HoldList* list, ...)
        bint touches(const char* low, const char* high)
        Hold* following()

cdef HoldList* holds

cdef bint is_held(const char* low, const char* high) noexcept
cdef void wait_until_free(const char* low, const char* high) noexcept
