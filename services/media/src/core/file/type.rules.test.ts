/** Tests of file types by their first bytes, with disguised files. */
import { expect, test } from 'vitest'
import { fileTypeOf } from './type.rules.js'

const of = (...parts: (string | number[])[]) =>
  fileTypeOf(
    Buffer.concat([
      ...parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
      Buffer.alloc(200),
    ]),
  )?.mediaType ?? null
const ftyp = (major: string, ...others: string[]) =>
  of([0, 0, 0, 16 + others.length * 4], `ftyp${major}\0\0\0\0${others.join('')}`)

test.each([
  ['image/jpeg', of([0xff, 0xd8, 0xff, 0xe0])],
  ['image/png', of([0x89], 'PNG\r\n\x1a\n')],
  ['image/gif', of('GIF89a')],
  ['image/gif', of('GIF87a<script>')],
  ['image/webp', of('RIFF\0\0\0\0WEBPVP8 ')],
  ['image/heic', ftyp('heic', 'mif1', 'heic')],
  ['image/heif', ftyp('mif1', 'heic')],
  ['image/avif', ftyp('avif')],
  ['image/avif', ftyp('mif1', 'avif', 'miaf')],
  ['video/mp4', ftyp('isom', 'iso2', 'avc1', 'mp41')],
  ['video/mp4', ftyp('mp42')],
  ['video/mp4', ftyp('3gp5')],
  ['video/quicktime', ftyp('qt  ')],
  ['video/quicktime', of([0, 0, 0, 8], 'wide', [0, 0, 0, 9], 'mdat')],
  ['audio/mp4', ftyp('M4A ', 'isom')],
  ['video/webm', of([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x82, 0x84], 'webm')],
  ['audio/ogg', of('OggS\0\x02', 'OpusHead')],
  ['video/ogg', of('OggS\0\x02', [0x80], 'theora')],
  ['audio/wav', of('RIFF\0\0\0\0WAVEfmt ')],
  ['audio/flac', of('fLaC')],
  ['audio/mpeg', of('ID3\x04')],
  ['audio/mpeg', of([0xff, 0xfb, 0x90, 0x64])],
  ['audio/aac', of([0xff, 0xf1, 0x50, 0x80])],
])('D051 %s is recognised by its first bytes', (expected, found) => {
  expect(found).toBe(expected)
})

test.each([
  ['HTML', of('<!DOCTYPE html><html>')],
  ['SVG', of('<svg xmlns="http://www.w3.org/2000/svg">')],
  ['XML', of('<?xml version="1.0"?>')],
  ['PDF', of('%PDF-1.7')],
  ['ZIP', of('PK\x03\x04')],
  ['TIFF', of('II*\0')],
  ['TIFF', of('MM\0*')],
  ['BMP', of('BM')],
  ['PSD', of('8BPS')],
  ['AVI', of('RIFF\0\0\0\0AVI LIST')],
  ['Matroska', of([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x82, 0x88], 'matroska')],
  ['a playlist', of('#EXTM3U\n')],
  ['a list of files', of('ffconcat version 1.0')],
  ['JPEG XL', of([0xff, 0x0a])],
  ['JPEG 2000', of([0, 0, 0, 12], 'jP  \r\n')],
  ['an activity', of('{"@context":"https://www.w3.org/ns/activitystreams"}')],
  ['a script', of('#!/bin/sh')],
  ['another ISO media format', ftyp('jp2 ')],
  ['nothing', fileTypeOf(Buffer.alloc(0))?.mediaType ?? null],
  ['zeros', of('')],
])('D052 %s is not accepted', (_name, found) => {
  expect(found).toBeNull()
})
