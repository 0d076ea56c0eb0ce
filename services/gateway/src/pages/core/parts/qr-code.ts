/** QR codes as inline SVG, black on white in light and dark mode, so that every camera can read them. */
import { encodeQR } from 'qr'
import { type Html, html } from '../html.js'

/** Width of the white border of a QR code in modules, as ISO/IEC 18004 requires. */
const BORDER = 4

/** Renders `text` as a QR code. `label`: text for screen readers. */
export const qrCode = (text: string, label: string): Html => {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: BORDER })
  const size = rows.length
  // The path of the SVG contains one rectangle for each run of dark modules in a row.
  const path = rows
    .flatMap((row, y) => {
      const runs: string[] = []
      for (let x = 0; x < size; x++) {
        if (!row[x]) continue
        const from = x
        while (x < size && row[x]) x++
        runs.push(`M${from} ${y}h${x - from}v1h-${x - from}z`)
      }
      return runs
    })
    .join('')
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"></path><path fill="#000" d="${path}"></path></svg>`
}
