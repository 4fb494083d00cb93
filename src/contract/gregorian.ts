/** Seconds between year 0 of the Gregorian calendar, from which the service counts, and the Unix epoch. */
export const gregorianOffset = 62_167_219_200;
