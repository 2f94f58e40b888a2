cdef extern from *:
    """
    #ifndef ND_HOLDS
    #define ND_HOLDS
    #include <cstddef>

    class Hold;

    /* Every kernel that runs without the GIL.  Read and written with the GIL. */
    struct HoldList {
      Hold* first;
    };

    /* One of them, with the addresses of its operands: any one within the memory of each.  It ends with its scope. */
    class Hold {
     public:
      Hold() = default;
      Hold(const Hold&) = delete;
      ~Hold() {
        if (!link) return;
        *link = next;
        if (next) next->link = link;
      }

      template <class... Addresses>
      void add(HoldList* list, Addresses... addresses) {
        enter(list);
        const char* given[] = {(const char*)addresses...};
        for (const char* address : given) note(address);
      }

      template <class Address>
      void add_all(HoldList* list, Address* addresses, long n) {
        enter(list);
        for (long i = 0; i < n; i++) note((const char*)addresses[i]);
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
      Hold* next;
      Hold** link = nullptr; /* what points here; NULL before the first address is known */
      int n_addresses = 0;
      bool is_everywhere = false; /* it has more operands than addresses */
      const char* addresses[MOST];

      void enter(HoldList* list) {
        if (link) return;
        next = list->first;
        link = &list->first;
        if (next) next->link = &next;
        list->first = this;
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

    cdef cppclass Hold:
        void add(HoldList* list, ...)
        void add_all(HoldList* list, ...)
        bint touches(const char* low, const char* high)
        Hold* following()

cdef HoldList* holds

cdef bint is_held(const char* low, const char* high) noexcept
cdef void wait_until_free(const char* low, const char* high) noexcept
