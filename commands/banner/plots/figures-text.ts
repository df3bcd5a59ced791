/** Figures as people read them: 12,345 and 3.69 %; dates as 19 Nov. JSON and pipes have the exact values instead. */

/** `12,345`. */
export function countText(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `3.69 %`; a dash where there is nothing to divide by. */
export function percentText(percent: number | null): string {
  return percent === null ? '-' : `${percent.toFixed(2)} %`;
}

/** `+12.20 %`; a dash where there is nothing to compare with. */
export function changeText(percent: number | null): string {
  return percent !== null && percent > 0 ? `+${percentText(percent)}` : percentText(percent);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `19 Nov` of `2026-11-19`. */
export function shortDate(date: string): string {
  const [, month, day] = date.split('-').map(Number);
  return `${day} ${months[(month ?? 0) - 1] ?? ''}`;
}
