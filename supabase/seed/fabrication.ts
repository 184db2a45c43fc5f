import type { SupabaseClient } from '@supabase/supabase-js';
import { must } from './rows.ts';

interface DemoFabrication {
  hours: number;
  tools: string[];
  currency?: string;
  parts: { component: string; maker?: string; part_number?: string; quantity?: number; cost?: number }[];
  /** Steps, some of which name the place of their picture among the solution's media, from 0. */
  steps: { instruction: string; picture?: number }[];
}

/** What is said on how some demo solutions are made, by their titles; the makers are invented. */
const demoFabrication: Record<string, DemoFabrication> = {
  'Violin bow adapter with a free wrist joint': {
    hours: 5.5,
    tools: ['FDM printer with a 0.4 mm nozzle', '5 mm reamer', 'Hex keys 2 and 2.5 mm', 'Heat gun'],
    currency: 'GBP',
    parts: [
      { component: 'Ball joint, 10 mm, stainless', maker: 'Northfold', part_number: 'BJ-10', cost: 14.5 },
      { component: 'PA12 filament, 60 g', cost: 3.6 },
      { component: 'Machine screw M3 × 12', quantity: 4, cost: 0.12 },
      { component: 'Neoprene strip, 3 mm', cost: 2.4 },
    ],
    steps: [
      {
        instruction: 'Print the shell and the bow clamp in PA12 with four walls. Let both cool on the bed.',
        picture: 0,
      },
      { instruction: 'Ream the seat of the joint to 10.05 mm. It must turn by hand and not rattle.' },
      {
        instruction:
          'Line the clamp with neoprene and close it on the bow until it no longer slips under its own weight.',
        picture: 1,
      },
      {
        instruction:
          'Set the friction with the player: loose enough for a tremolo, firm enough to hold the bow level.',
      },
    ],
  },
  'Heat-formed socket from drainage pipe, with a soft brim': {
    hours: 9,
    tools: [
      'Convection oven up to 180 °C',
      'Plaster cast with 6 mm build-up at the brim',
      'Jigsaw',
      'Deburring tool',
      'Heat-proof gloves',
    ],
    currency: 'USD',
    parts: [
      { component: 'HDPE drainage pipe, 160 mm, new', cost: 6.2 },
      { component: 'EVA sheet, 6 mm', quantity: 0.25, cost: 18 },
      { component: 'Pyramid plate, four holes', maker: 'Lowell Works', part_number: 'PP-4', cost: 32 },
      { component: 'Countersunk screw M6 × 16', quantity: 4, cost: 0.2 },
    ],
    steps: [
      {
        instruction: 'Cut the pipe 40 mm longer than the cast and open it along its length. Wash and dry it.',
        picture: 0,
      },
      { instruction: 'Heat it at 165 °C for 12 minutes, until it bends without whitening.' },
      {
        instruction:
          'Wrap it over the cast with the seam at the back, and hold it with straps until it is cold.',
        picture: 1,
      },
      { instruction: 'Trim the brim, round its edge to 5 mm, and glue the EVA over it.' },
      { instruction: 'Bolt the pyramid plate and check the wall: no less than 5 mm anywhere under load.' },
    ],
  },
  'Pen holder that writes from the shoulder': {
    hours: 1.5,
    tools: ['FDM printer', 'Hot water at 70 °C', 'Sandpaper, grit 240'],
    currency: 'EUR',
    parts: [
      { component: 'PCL granulate, grams', quantity: 35, cost: 0.09 },
      {
        component: 'Hook-and-loop strap, 25 mm',
        maker: 'Bindwell',
        part_number: 'HL-25',
        quantity: 2,
        cost: 1.1,
      },
    ],
    steps: [
      { instruction: 'Print the holder lying down, so that no layer line crosses the neck.' },
      {
        instruction: 'Warm the PCL in hot water and form the grip around the pen that the writer uses.',
        picture: 0,
      },
      {
        instruction:
          'Fit the straps, write a line, and turn the grip until the tip meets the paper at 50 degrees.',
      },
    ],
  },
  'Swim fin that clips to a transtibial socket': {
    hours: 4,
    tools: ['Band saw', 'Drill press', 'File', 'Torque wrench up to 10 Nm'],
    parts: [
      { component: 'Polypropylene sheet, 8 mm, A4' },
      { component: 'Stainless clip, marine grade', maker: 'Harbour & Sons', part_number: 'MC-316' },
      { component: 'Lock nut M6, A4 steel', quantity: 4 },
    ],
    steps: [
      { instruction: 'Saw the blade to the template and round all edges.', picture: 0 },
      { instruction: 'Drill the clip holes at 6.2 mm and fit the clip with lock nuts at 8 Nm.' },
      {
        instruction:
          'Clip it on in the water, not at the edge of the pool, and check that it comes off with one hand.',
      },
    ],
  },
  'Cutlery cuff for a short transradial limb': {
    hours: 2,
    tools: ['Sewing machine with a leather needle', 'Punch, 4 mm', 'Scissors'],
    currency: 'GBP',
    parts: [
      { component: 'Vegetable-tanned leather, 2 mm, A5', cost: 7.8 },
      { component: 'Elastic webbing, 30 mm, 40 cm', cost: 1.2 },
      { component: 'Press stud', maker: 'Clasper', part_number: 'S-12', quantity: 3, cost: 0.3 },
    ],
    steps: [
      { instruction: 'Trace the limb at rest and add 15 mm for the overlap.', picture: 0 },
      { instruction: 'Sew the pocket for the handle at the angle at which the fork meets the plate.' },
      { instruction: 'Close the cuff over a sleeve and set the studs for one hand.' },
    ],
  },
  'Field repair kit for a transtibial leg, sent by post': {
    hours: 0.5,
    tools: ['The hex keys in the kit'],
    currency: 'USD',
    parts: [
      { component: 'Grub screw M8 × 12', quantity: 8, cost: 0.35 },
      { component: 'Thread lock, 2 ml', cost: 3 },
      { component: 'Hex key 4 mm', cost: 1.4 },
      { component: 'Printed guide, waterproof', cost: 0.8 },
    ],
    steps: [
      {
        instruction:
          'Lay the leg down. Never loosen the two grub screws that stand beside each other: the alignment is kept by them.',
        picture: 0,
      },
      {
        instruction:
          'Turn out one screw, clean its thread, add a drop of thread lock, and turn it in to the mark.',
      },
      { instruction: 'Wait ten minutes, stand, and look for the mark again.' },
    ],
  },
};

/** Writes how a demo solution is made, if it is known, with the media that it has. */
export async function seedFabrication(
  client: SupabaseClient,
  { id: solution_id, title }: { id: string; title: string },
  media: readonly { id: string }[],
): Promise<void> {
  const demo = demoFabrication[title];
  if (!demo) return;
  const { hours, tools, currency = null, parts, steps } = demo;
  await must(client.from('solution_fabrication').insert({ solution_id, hours, tools, currency }));
  await must(
    client.from('solution_parts').insert(
      parts.map(({ maker = null, part_number = null, quantity = 1, cost = null, component }, position) => ({
        solution_id,
        position,
        component,
        maker,
        part_number,
        quantity,
        cost,
      })),
    ),
  );
  await must(
    client.from('solution_steps').insert(
      steps.map(({ instruction, picture }, position) => ({
        solution_id,
        position,
        instruction,
        media_id: picture === undefined ? null : (media[picture]?.id ?? null),
      })),
    ),
  );
}
