/** Samples a second, and the sound of silence in the coding of telephones (µ-law). */
const rate = 8000;
const quiet = 0xff;

/** A WAV file of so many seconds of silence. */
function wav(seconds: number): Buffer {
  const size = rate * seconds;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + size, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  // Format 7 is µ-law: one channel, a byte a sample.
  head.writeUInt16LE(7, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(size, 40);
  return Buffer.concat([head, Buffer.alloc(size, quiet)]);
}

/** A frame of silence in MP3: MPEG 2.5, layer 3, 8 kbit/s, 8 kHz, mono; 72 bytes for 72 milliseconds. */
const frame = Buffer.concat([Buffer.from([0xff, 0xe3, 0x18, 0xc0]), Buffer.alloc(68)]);
const framesASecond = 1000 / 72;

/** Content type of a WAV file. */
export const wavType = 'audio/x-wav';

/** A sound file of so many seconds of silence: MP3, or WAV where the content type says so. */
export function silence(contentType: string, seconds: number): Buffer {
  if (contentType === wavType) return wav(seconds);
  return Buffer.concat(Array.from({ length: Math.ceil(seconds * framesASecond) }, () => frame));
}
