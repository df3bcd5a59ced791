/** Addresses in HTML that are given a base. */
import { describe, expect, it } from 'vitest';
import { mapAddresses } from '../../../src/content/rules/html-addresses.js';

const mark = (address: string) => (address.startsWith('#') ? address : `/${address}`);

describe('an address in HTML', () => {
  it.each([
    ['<a href="a">', '<a href="/a">'],
    ["<IMG SRC='a' srcset='a 1x, b 2x'>", "<IMG SRC='/a' srcset='/a 1x, /b 2x'>"],
    ['<link imagesrcset="a 1x">', '<link imagesrcset="/a 1x">'],
    ['<video poster=a.jpg src="b">', '<video poster=/a.jpg src="/b">'],
    ['<img data-src=a.jpg data-srcset="b 1x, c 2x">', '<img data-src=/a.jpg data-srcset="/b 1x, /c 2x">'],
    ['<use xlink:href="a.svg#x"/><use xlink:href="#x"/>', '<use xlink:href="/a.svg#x"/><use xlink:href="#x"/>'],
    ['<form action="send"><button formaction="b">', '<form action="/send"><button formaction="/b">'],
    ['<form action="">', '<form action="">'],
    ['<object data="a.pdf">', '<object data="/a.pdf">'],
    ['<p style="background:url(a.jpg)">', '<p style="background:url(/a.jpg)">'],
    [
      `<p style="a:URL( 'a b.jpg' );b:url(&quot;c&quot;),url( d ) e">`,
      `<p style="a:URL( '/a b.jpg' );b:url(&quot;/c&quot;),url( /d) e">`,
    ],
    [`<p style='a:url("a")'>`, `<p style='a:url("/a")'>`],
    ['<p style="a:url(#x);color:red">', '<p style="a:url(#x);color:red">'],
  ])('is changed: %s', (html, expected) => {
    expect(mapAddresses(html, mark)).toBe(expected);
  });

  it.each([
    'url(a.jpg) href="a"',
    '<p title="url(a)" data-source="a" action-x="a">',
    '<style>p{a:url(b)}</style>',
    '<p style="url(a b) url(a\\)) url(a">',
    `<p style="url('a">`,
    '<p style="url()">',
    '<!-- <img src="a"> -->',
  ])('stays: %s', (html) => {
    expect(mapAddresses(html, mark)).toBe(html);
  });
});
