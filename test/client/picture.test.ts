/** The attributes of pictures (docs/files.md#pictures-in-answers). */
import { expect, test } from 'vitest';
import { pictureAttributes } from '../../client/src/picture.js';

const picture = {
  url: '/files/a.jpg?v=1',
  width: 700,
  height: 350,
  type: 'image/jpeg',
  placeholder: 'data:image/webp;base64,x',
};

test('names the sizes up to the one of the picture', () => {
  expect(pictureAttributes(picture)).toEqual({
    src: '/files/a.jpg?v=1&w=828&format=auto',
    srcset:
      '/files/a.jpg?v=1&w=384&format=auto 384w, /files/a.jpg?v=1&w=640&format=auto 640w, /files/a.jpg?v=1&w=828&format=auto 700w',
    width: 700,
    height: 350,
  });
});

test('names the sizes of a server with other ones', () => {
  const { srcset } = pictureAttributes({ ...picture, widths: [900, 400, 1800] });
  expect(srcset).toMatch(/^\S+w=400&format=auto 400w, \S+w=900&format=auto 700w$/);
});

test('takes widths, format and quality', () => {
  const options = { widths: [64, 128], format: 'webp', quality: 50 } as const;
  expect(pictureAttributes({ ...picture, url: 'https://a.example/files/a.jpg' }, options).srcset).toBe(
    'https://a.example/files/a.jpg?w=64&format=webp&q=50 64w, https://a.example/files/a.jpg?w=128&format=webp&q=50 128w',
  );
});

test('names no sizes of a picture that the server does not change', () => {
  const src = '/files/a.jpg?v=1';
  expect(pictureAttributes({ ...picture, placeholder: null })).toEqual({ src, width: 700, height: 350 });
  expect(pictureAttributes({ ...picture, width: null, height: null })).toEqual({ src: '/files/a.jpg?v=1' });
});
