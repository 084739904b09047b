// Sounds made on the spot, for those who switch them on: dice on wood, a volley, a drum.
import { settings } from './settings.svelte';

let context: AudioContext | null = null;

// A burst of noise that dies away, as low or as sharp as its filter.
function burst(at: number, long: number, pitch: number, loud: number): void {
  if (!context) return;
  const length = Math.ceil(context.sampleRate * long);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 3;
  const source = context.createBufferSource();
  source.buffer = buffer;
  const filter = context.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = pitch;
  const gain = context.createGain();
  gain.gain.value = loud;
  source.connect(filter).connect(gain).connect(context.destination);
  source.start(context.currentTime + at);
}

export function play(what: 'dice' | 'volley' | 'drum'): void {
  if (!settings.sound) return;
  context ??= new AudioContext();
  if (what === 'dice') [0, 0.09, 0.16].forEach((t) => burst(t, 0.05, 2400, 0.5));
  else if (what === 'volley')
    for (let i = 0; i < 14; i++) burst(Math.random() * 0.35, 0.25, 500 + Math.random() * 700, 0.35);
  else [0, 0.14, 0.21, 0.28].forEach((t) => burst(t, 0.12, 180, 0.9));
}
