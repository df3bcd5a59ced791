/**
 * Static resources: their content is not text but the path of a file, which the CMS sends to visitors. Which classes are
 * static, and which paths stay inside the folder that the site has for such files.
 */

/** Class names of PHP know no case, and stand with or without a namespace. */
export function isStaticClass(name: string): boolean {
  return name.trim().split('\\').at(-1)?.toLowerCase() === 'modstaticresource';
}

const accepted = 'must be the path of a file below the folder for static files, such as files/price-list.pdf';

/** Why a static resource may not have the path; null when it may. Nothing is decoded: encoded forms are refused. */
export function staticPathProblem(path: string): string | null {
  const problem = firstProblem(path);
  return problem === null ? null : `${accepted}: ${problem}`;
}

function firstProblem(path: string): string | null {
  if (path === '') return null;
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(path)) return 'it has control characters';
  if (path !== path.trim()) return 'it begins or ends with a blank';
  if (path.includes('\\')) return 'it has a backslash';
  if (path.startsWith('/')) return 'it begins with a slash';
  if (path.includes(':')) return 'it has a colon, as schemes and drives have';
  if (/%[0-9a-f]{2}|&#?\w+;/i.test(path)) return 'it has encoded characters';
  if (path.includes('[[') || /[{}]/.test(path)) return 'it has tags or placeholders';
  // Some systems drop dots and blanks at the end of a name, so that more than two dots lead upwards as well.
  if (path.split('/').some((part) => /^[.\s]*$/.test(part))) return 'it has an empty part, "." or ".."';
  return null;
}
