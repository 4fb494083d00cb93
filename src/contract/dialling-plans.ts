/** Source: the regulator of each country. */
export interface DiallingPlan {
  /** Without `+`. */
  readonly code: string;
  /** Digits before a national number. Empty if numbers are dialed the same from abroad. */
  readonly trunk: string;
  /** Digits before a number abroad. */
  readonly abroad: string;
  /** Length of national numbers without the trunk digits. */
  readonly least: number;
  readonly most: number;
}

/** Country, calling code, trunk digits (`-` for none), prefix for calls abroad, lengths of national numbers. */
const table = `
AG,AI,AS,BB,BM,BS,DM,DO,GD,GU,JM,KN,KY,LC,MP,MS,PR,SX,TC,TT,US,VC,VG,VI 1 1 011 10-10
CA 1 1 011 7-10
EG 20 0 00 8-10
SS 211 0 00 9-9
EH,MA 212 0 00 9-9
DZ 213 0 00 8-9
TN 216 - 00 8-8
LY 218 0 00 9-9
GM 220 - 00 7-9
SN 221 - 00 9-9
MR 222 - 00 8-8
ML 223 - 00 8-8
GN 224 - 00 8-9
CI 225 - 00 10-10
BF 226 - 00 8-8
NE 227 - 00 8-8
TG 228 - 00 8-8
BJ 229 - 00 10-10
MU 230 - 00 7-10
LR 231 0 00 7-9
SL 232 0 00 8-8
GH 233 0 00 8-9
NG 234 0 009 10-14
TD 235 - 00 8-8
CF 236 - 00 8-8
CM 237 - 00 8-9
CV 238 - 0 7-7
ST 239 - 00 7-7
GQ 240 - 00 9-9
GA 241 - 00 7-8
CG 242 - 00 9-9
CD 243 0 00 7-10
AO 244 - 00 9-9
GW 245 - 00 7-9
IO 246 - 00 7-7
AC 247 - 00 5-6
SC 248 - 00 7-7
SD 249 0 00 9-9
RW 250 0 00 8-9
ET 251 0 00 9-9
SO 252 0 00 6-9
DJ 253 - 00 8-8
KE 254 0 000 7-10
TZ 255 0 00 9-9
UG 256 0 00 9-9
BI 257 - 00 8-8
MZ 258 - 00 8-9
ZM 260 0 00 9-9
MG 261 0 00 9-9
RE,YT 262 0 00 9-9
ZW 263 0 00 7-10
NA 264 0 00 8-9
MW 265 0 00 7-9
LS 266 - 00 8-8
BW 267 - 00 7-10
SZ 268 - 00 8-9
KM 269 - 00 7-7
ZA 27 0 00 5-10
SH 290 - 00 4-5
TA 290 - 00 4-4
ER 291 0 00 7-7
AW 297 - 00 7-7
FO 298 - 00 6-6
GL 299 - 00 6-6
GR 30 - 00 10-12
NL 31 0 00 5-11
BE 32 0 00 8-9
FR 33 0 00 9-9
ES 34 - 00 9-9
GI 350 - 00 8-8
PT 351 - 00 9-9
LU 352 - 00 4-11
IE 353 0 00 7-10
IS 354 - 00 7-9
AL 355 0 00 6-9
MT 356 - 00 8-8
CY 357 - 00 8-8
AX,FI 358 0 00 5-12
BG 359 0 00 6-12
HU 36 06 00 8-9
LT 370 0 00 8-8
LV 371 - 00 8-8
EE 372 - 00 7-10
MD 373 0 00 8-8
AM 374 0 00 8-8
BY 375 80 810 6-11
AD 376 - 00 6-9
MC 377 0 00 8-9
SM 378 - 00 8-10
UA 380 0 00 9-10
RS 381 0 00 6-12
ME 382 0 00 8-9
XK 383 0 00 8-12
HR 385 0 00 7-9
SI 386 0 00 5-8
BA 387 0 00 8-9
MK 389 0 00 8-8
IT,VA 39 - 00 6-12
RO 40 0 00 6-9
CH 41 0 00 9-12
CZ 420 - 00 9-12
SK 421 0 00 6-9
LI 423 0 00 7-9
AT 43 0 00 4-13
GB,GG 44 0 00 7-10
IM,JE 44 0 00 10-10
DK 45 - 00 8-8
SE 46 0 00 6-12
NO,SJ 47 - 00 5-8
PL 48 - 00 6-10
DE 49 0 00 4-15
FK 500 - 00 5-5
BZ 501 - 00 7-11
GT 502 - 00 8-11
SV 503 - 00 7-11
HN 504 - 00 8-11
NI 505 - 00 8-8
CR 506 - 00 8-10
PA 507 - 00 7-11
PM 508 0 00 6-9
HT 509 - 00 8-8
PE 51 0 00 8-9
MX 52 - 00 10-10
CU 53 0 119 6-10
AR 54 0 00 10-11
BR 55 0 00 8-11
CL 56 - 00 9-11
CO 57 0 00 8-11
VE 58 0 00 10-10
BL,GP,MF 590 0 00 9-9
BO 591 0 00 8-9
GY 592 - 001 7-7
EC 593 0 00 8-11
GF 594 0 00 9-9
PY 595 0 00 6-11
MQ 596 0 00 9-9
SR 597 - 00 6-7
UY 598 0 00 4-13
BQ 599 - 00 7-7
CW 599 - 00 7-8
MY 60 0 00 8-10
AU 61 0 0011 5-12
CC,CX 61 0 00 6-12
ID 62 0 00 7-17
PH 63 0 00 6-13
NZ 64 0 00 5-10
SG 65 - 00 8-11
TH 66 0 00 8-13
TL 670 - 00 7-8
NF 672 - 00 6-6
BN 673 - 00 7-7
NR 674 - 00 7-7
PG 675 - 00 7-8
TO 676 - 00 5-7
SB 677 - 00 5-7
VU 678 - 00 5-7
FJ 679 - 00 7-11
PW 680 - 00 7-7
WF 681 - 00 6-9
CK 682 - 00 5-5
NU 683 - 00 4-7
WS 685 - 0 5-10
KI 686 0 00 5-8
NC 687 - 00 6-6
TV 688 - 00 5-7
PF 689 - 00 6-9
TK 690 - 00 4-7
FM 691 - 00 7-7
MH 692 1 011 7-7
KZ,RU 7 8 810 10-14
JP 81 0 010 8-17
KR 82 0 00 5-14
VN 84 0 00 7-10
KP 850 0 00 8-10
HK 852 - 00 5-11
MO 853 - 00 7-8
KH 855 0 00 8-10
LA 856 0 00 8-10
CN 86 0 00 7-12
BD 880 0 00 6-10
TW 886 0 00 7-11
TR 90 0 00 7-13
IN 91 0 00 8-13
PK 92 0 00 8-12
AF 93 0 00 9-9
LK 94 0 00 9-9
MM 95 0 00 6-10
MV 960 - 00 7-10
LB 961 0 00 7-8
JO 962 0 00 8-9
SY 963 0 00 8-9
IQ 964 0 00 8-10
KW 965 - 00 7-8
SA 966 0 00 9-10
YE 967 0 00 7-9
OM 968 - 00 7-9
PS 970 0 00 8-10
AE 971 0 00 5-12
IL 972 0 00 7-12
BH 973 - 00 8-8
QA 974 - 00 7-11
BT 975 - 00 7-8
MN 976 0 001 8-10
NP 977 0 00 8-11
IR 98 0 00 4-10
TJ 992 - 810 9-9
TM 993 8 810 8-8
AZ 994 0 00 9-9
GE 995 0 00 9-9
KG 996 0 00 9-10
UZ 998 - 00 9-9
`;

let read: ReadonlyMap<string, DiallingPlan> | undefined;

/** Parsed on first use, because few commands need the plans. */
function plans(): ReadonlyMap<string, DiallingPlan> {
  read ??= new Map(
    table
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [countries = '', code = '', trunk = '', abroad = '', lengths = ''] = line.split(' ');
        const [least = 0, most = 0] = lengths.split('-').map(Number);
        const plan = { code, trunk: trunk === '-' ? '' : trunk, abroad, least, most };
        return countries.split(',').map((country) => [country, plan] as const);
      }),
  );
  return read;
}

/** `country` has two letters (ISO 3166), in either case. */
export const diallingPlan = (country: string): DiallingPlan | undefined => plans().get(country.toUpperCase());

const mainCountries = new Set(['AU', 'CW', 'FI', 'GB', 'GP', 'IT', 'MA', 'NO', 'RE', 'RU', 'US']);

/** Returns the two-letter country of a number in E.164. For a shared calling code, returns the largest country. */
export function countryOfNumber(e164: string): string | undefined {
  const found = [...plans()].filter(([, { code }]) => e164.startsWith(`+${code}`));
  // No calling code is a prefix of another, so all of these are equal.
  return (found.find(([country]) => mainCountries.has(country)) ?? found[0])?.[0];
}

/** Returns true for a calling code and a possible national number. */
export const isInternational = (digits: string): boolean =>
  [...plans().values()].some(({ code, least, most }) => {
    const length = digits.length - code.length;
    return digits.startsWith(code) && length >= least && length <= most;
  });
