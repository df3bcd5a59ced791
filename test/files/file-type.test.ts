/** Types of files by name and content (docs/files.md#manage-files). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkFileType, typeOfName } from '../../src/files/file-type.js';
import { makeTempDir } from '../support/temp-dir.js';

const ascii = (text: string) => Buffer.from(text, 'latin1');
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const padded = (...parts: Buffer[]) => Buffer.concat([...parts, Buffer.alloc(2048)]);
const box = (brand: string) => padded(hex('00000020'), ascii(`ftyp${brand}`), hex('00000200'), ascii(`${brand}isom`));
const ogg = (codec: string) => padded(ascii('OggS'), Buffer.alloc(24), ascii(codec));
const jpeg = padded(hex('ffd8ffe0 0010'), ascii('JFIF'));
const cfb = padded(hex('d0cf11e0a1b11ae1'));
const zip = padded(hex('504b0304 14000000 0000'));

const contents: Readonly<Record<string, Buffer>> = {
  'a.jpg': jpeg,
  'a.jfif': jpeg,
  'a.doc': cfb,
  'a.xls': cfb,
  'a.ppt': cfb,
  'a.docx': zip,
  'a.odt': zip,
  'a.pages': zip,
  'a.kmz': zip,
  'a.zip': zip,
  'a.rar': padded(ascii('Rar!'), hex('1a0700')),
  'a.flac': padded(ascii('fLaC')),
  'a.opus': ogg('OpusHead'),
  'a.ogg': ogg('\x01vorbis'),
  'a.oga': ogg('\x01vorbis'),
  'a.ogv': ogg('\x80theora'),
  'a.avi': padded(ascii('RIFF'), hex('00000000'), ascii('AVI LIST')),
  'a.wav': padded(ascii('RIFF'), hex('00000000'), ascii('WAVEfmt ')),
  'a.mp4': box('mp42'),
  'b.mp4': box('qt  '),
  'a.m4a': box('mp42'),
  'b.m4a': box('M4A '),
  'a.m4v': box('M4V '),
  'a.mov': box('qt  '),
  'a.heic': box('mif1'),
  'a.ico': padded(hex('00000100')),
  'a.aif': padded(ascii('FORM'), hex('00000000'), ascii('AIFF')),
  'a.rtf': ascii('{\\rtf1 text}'),
  'program.txt': ascii('MZ is how a text may begin'),
  'bitmap.csv': ascii('BM;1;2\n'),
  'paper.md': ascii('%PDF-1.4 is a header'),
  'sound.txt': ascii('ID3 tags'),
  'card.vcf': ascii('BEGIN:VCARD\nVERSION:3.0\nEND:VCARD\n'),
  'page.json': ascii('{"a": 1}'),
  'subtitles.srt': ascii('1\n00:00:01,000 --> 00:00:02,000\nHello\n'),
  'list.m3u8': ascii('#EXTM3U\n'),
  'track.gpx': ascii('<?xml version="1.0"?><gpx/>'),
  'model.dae': ascii('<?xml version="1.0"?><COLLADA/>'),
  'drawing.svg': ascii('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
  'table.xyz': ascii('1 H\n'),
};

const refused: readonly [name: string, content: Buffer, says: string][] = [
  ['archive.jpg', zip, 'application/zip'],
  ['picture.pdf', jpeg, 'image/jpeg'],
  ['office.zip', cfb, 'application/x-cfb'],
  ['archive.doc', zip, 'application/zip'],
  ['film.mp3', box('mp42'), 'video/mp4'],
  ['old.csv', Buffer.from('Preis in \u20ac;M\u00e4rz', 'latin1'), 'no text in UTF-8'],
  ['picture.txt', jpeg, 'image/jpeg'],
  ['page.svg', ascii('<html></html>'), 'no drawing'],
  ['text.png', ascii('text'), 'of no type that is known'],
];

describe('types of files', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await makeTempDir('types');
  });

  async function check(name: string, content: Buffer, types = [typeOfName(name) ?? '']) {
    const place = join(folder, 'upload');
    await writeFile(place, content);
    return checkFileType(place, { path: name, types });
  }

  test.each(Object.keys(contents))('takes %s', async (name) => {
    await check(name, contents[name] ?? Buffer.of());
  });

  test.each(refused)('refuses %s', async (name, content, says) => {
    await expect(check(name, content)).rejects.toThrow(`but the content is ${says}`);
  });

  test.each([
    ['a.flac', 'audio/flac'],
    ['a.mkv', 'video/matroska'],
    ['a.jfif', 'image/jpeg'],
  ])('names the type of %s as registered', async (name, type) => {
    const content = { 'a.mkv': hex('1a45dfa3 a3 4282 88 6d6174726f736b61') }[name] ?? contents[name] ?? Buffer.of();
    await check(name, padded(content), [type]);
  });

  test('does not take a type because one of the same format is taken', async () => {
    await expect(check('a.mov', box('qt  '), ['video/mp4'])).rejects.toThrow('Files of type video/quicktime are not');
  });
});
