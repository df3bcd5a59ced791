/** Hills under a sky, in colours that follow from the name. */
export function picture(name: string): string {
  let seed = 7;
  for (const character of name) seed = (seed * 31 + character.charCodeAt(0)) % 9973;
  const hue = 90 + (seed % 120);
  const at = (step: number) => 120 + ((seed >> step) % 7) * 18;
  const hill = (top: number, light: number) =>
    `<path fill="hsl(${hue} 28% ${light}%)" d="M0 ${top + 60}Q150 ${top - 60} 300 ${top + 20}T600 ${top}V400H0z"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 400" preserveAspectRatio="xMidYMid slice"><rect width="600" height="400" fill="hsl(${hue + 60} 35% 80%)"/><circle cx="${at(1) * 2}" cy="90" r="34" fill="#fff6dc"/>${hill(at(2), 62)}${hill(at(3) + 60, 47)}${hill(at(4) + 130, 33)}</svg>`;
}
