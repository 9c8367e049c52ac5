"""Which level of x86-64 a processor has, in LLVM's intermediate code: the library is asked as it is loaded."""

_FOUR = "{ i32, i32, i32, i32 }"


def _cpuid(leaf: int) -> str:
    """The instruction `cpuid`, which gives eax, ebx, ecx and edx."""
    return f'call {_FOUR} asm sideeffect "cpuid", "={{ax}},={{bx}},={{cx}},={{dx}},{{ax}},{{cx}}"(i32 {leaf}, i32 0)'


def _bits(*places: int) -> int:
    return sum(1 << place for place in places)


# Which level of x86-64 this processor has, from 1, by Intel's and AMD's manuals of `cpuid`; level 3 needs an operating
# system that saves the registers of AVX, and level 4 those of AVX-512. Only instructions that every x86-64 has.
_SECOND = _bits(0, 9, 13, 19, 20, 23)  # leaf 1, ecx: SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT
_THIRD = _bits(12, 22, 27, 28, 29)  # leaf 1, ecx: FMA, MOVBE, OSXSAVE, AVX, F16C
_SEVENTH = _bits(3, 5, 8)  # leaf 7, ebx: BMI1, AVX2, BMI2
_FOURTH = _bits(16, 17, 28, 30, 31) - (1 << 32)  # leaf 7, ebx: AVX-512 F, DQ, CD, BW, VL; as a signed number
_SAVED = 0x06, 0xE6  # registers that the operating system saves: of AVX; of AVX-512, too
_EXTENDED = _bits(0), _bits(5)  # leaf 80000001, ecx: LAHF; LZCNT
X86_LEVEL = f"""
  %basic = {_cpuid(1)}
  %features = extractvalue {_FOUR} %basic, 2
  %more = {_cpuid(-2147483647)}
  %further = extractvalue {_FOUR} %more, 2
  %second = and i32 %features, {_SECOND}
  %has_second = icmp eq i32 %second, {_SECOND}
  %lahf = and i32 %further, {_EXTENDED[0]}
  %has_lahf = icmp eq i32 %lahf, {_EXTENDED[0]}
  %is_second = and i1 %has_second, %has_lahf
  br i1 %is_second, label %above, label %first
first:
  ret i32 1
above:
  %third = and i32 %features, {_THIRD}
  %has_third = icmp eq i32 %third, {_THIRD}
  %zeros = and i32 %further, {_EXTENDED[1]}
  %has_zeros = icmp eq i32 %zeros, {_EXTENDED[1]}
  %ends = {_cpuid(0)}
  %last = extractvalue {_FOUR} %ends, 0
  %has_seventh = icmp uge i32 %last, 7
  %most = and i1 %has_third, %has_zeros
  %asks = and i1 %most, %has_seventh
  br i1 %asks, label %seventh, label %two
two:
  ret i32 2
seventh:
  %leaf = {_cpuid(7)}
  %vectors = extractvalue {_FOUR} %leaf, 1
  %wide = and i32 %vectors, {_SEVENTH}
  %has_wide = icmp eq i32 %wide, {_SEVENTH}
  %saved = call {{ i32, i32 }} asm sideeffect ".byte 0x0f, 0x01, 0xd0", "={{ax}},={{dx}},{{cx}}"(i32 0)
  %registers = extractvalue {{ i32, i32 }} %saved, 0
  %of_avx = and i32 %registers, {_SAVED[0]}
  %are_saved = icmp eq i32 %of_avx, {_SAVED[0]}
  %is_third = and i1 %has_wide, %are_saved
  %wider = and i32 %vectors, {_FOURTH}
  %has_wider = icmp eq i32 %wider, {_FOURTH}
  %of_avx512 = and i32 %registers, {_SAVED[1]}
  %more_saved = icmp eq i32 %of_avx512, {_SAVED[1]}
  %also_saved = and i1 %has_wider, %more_saved
  %is_fourth = and i1 %is_third, %also_saved
  %below = select i1 %is_third, i32 3, i32 2
  %number = select i1 %is_fourth, i32 4, i32 %below
  ret i32 %number
"""
