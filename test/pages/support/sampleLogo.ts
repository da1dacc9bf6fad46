import sharp from 'sharp';

const SIDE = 192;

/** The logo of an invented partner, a ring on a disc of its colour, as the base64 of a PNG. */
export async function sampleLogo([red, green, blue]: readonly [number, number, number]): Promise<string> {
  const pixels = Buffer.alloc(SIDE * SIDE * 4);
  for (let at = 0; at < SIDE * SIDE; at += 1) {
    const away =
      Math.hypot((at % SIDE) - SIDE / 2 + 0.5, Math.floor(at / SIDE) - SIDE / 2 + 0.5) / (SIDE / 2);
    const mark = away > 0.38 && away < 0.58 ? 255 : undefined;
    pixels.set([mark ?? red, mark ?? green, mark ?? blue, away < 0.98 ? 255 : 0], at * 4);
  }
  const png = await sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 4 } })
    .png()
    .toBuffer();
  return png.toString('base64');
}
