// Cases for player frames of oEmbed documents.
import { expect, test } from 'vitest'
import { oembedFrame } from './embed.js'

const admits = (host: string) => host === 'video.example'

test('hostile 84 A146 the frame is rebuilt without other attributes', () => {
  const html =
    '<script>x()</script><div onload="x()"><iframe width="560" height="315" src="https://video.example/embed/1?a=1&amp;b=2" srcdoc="<script>" ' +
    'onload="x()" style="x" name="y" allow="*"><iframe src="https://video.example/2"></iframe></iframe></div>'
  expect(oembedFrame(html, admits)).toEqual({
    html:
      '<iframe src="https://video.example/embed/1?a=1&amp;b=2" width="560" height="315" allowfullscreen="allowfullscreen" ' +
      'sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms"></iframe>',
    url: 'https://video.example/embed/1?a=1&b=2',
    width: 560,
    height: 315,
  })
})

test.each([
  '',
  'text',
  '<iframe></iframe>',
  '<iframe srcdoc="<script>"></iframe>',
  '<iframe src="http://video.example/1"></iframe>',
  '<iframe src="//video.example/1"></iframe>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe src="data:text/html,x"></iframe>',
  '<iframe src="https://video.example@evil.example/"></iframe>',
  '<iframe src="https://user:pass@video.example/"></iframe>',
  '<iframe src="https://evil.example/"></iframe>',
  '<script><iframe src="https://video.example/1"></iframe></script>',
  '<!-- <iframe src="https://video.example/1"></iframe> -->',
  '<object data="https://video.example/1"></object>',
])('A146 no frame in %j', (html) => expect(oembedFrame(html, admits)).toBeNull())

test('A146 sizes are plain numbers', () => {
  const sized = (width: string) =>
    oembedFrame(`<iframe src="https://video.example/" width='${width}'></iframe>`, admits)?.width
  expect(['640', '99999', '100%', '-1', '1e3', '"><b>', ''].map(sized)).toEqual([640, 4096, 0, 0, 0, 0, 0])
})

test('a value that is not text has no frame', () => expect(oembedFrame(null as unknown as string, admits)).toBeNull())
