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

      template <class... Places>
      void add(HoldList* list, Places... places) {
        enter(list);
        const char* given[] = {(const char*)places...};
        for (const char* place : given) note(place);
      }

      template <class Place>
      void add_all(HoldList* list, Place* places, long n) {
        enter(list);
        for (long i = 0; i < n; i++) note((const char*)places[i]);
      }

      bool touches(const char* low, const char* high) const {
        if (is_everywhere) return true;
        for (int i = 0; i < n_places; i++)
          if (low <= places[i] && places[i] < high) return true;
        return false;
      }

      Hold* following() const { return next; }

     private:
      static const int MOST = 24;
      Hold* next;
      Hold** link = nullptr; /* what points here; NULL before the first place is known */
      int n_places = 0;
      bool is_everywhere = false; /* it has more operands than places */
      const char* places[MOST];

      void enter(HoldList* list) {
        if (link) return;
        next = list->first;
        link = &list->first;
        if (next) next->link = &next;
        list->first = this;
      }

      void note(const char* place) {
        if (n_places < MOST) places[n_places++] = place;
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
