/** Demo topics, oldest last; replies are author and text. */
export const demoTopics: {
  author: string;
  title: string;
  description: string;
  category: 'general' | 'technical' | 'success-stories' | 'materials' | 'research';
  days_ago: number;
  is_pinned?: boolean;
  is_locked?: boolean;
  posts: [string, string][];
}[] = [
  {
    author: 'ruth',
    title: 'Welcome: how to write a case others can use',
    description:
      'Three things make a solution useful to the next person: what the task was, what you tried first, and a number. Pictures of the device say more than pictures of people; if a person is in the picture, we need their written consent.',
    category: 'general',
    days_ago: 120,
    is_pinned: true,
    posts: [
      ['amara', 'I keep a ruler in the photo box now. It saves a paragraph.'],
      [
        'henrik',
        'And from the review side: labels, wristbands and whiteboards are what we send back most often.',
      ],
    ],
  },
  {
    author: 'marcus',
    title: 'Thread lock on titanium screws: which one, and when not?',
    description:
      'We have had two seized pyramid screws this year. What do you use on titanium in titanium, and do you ever leave it dry?',
    category: 'technical',
    days_ago: 3,
    posts: [
      [
        'grace',
        'Medium strength, never high, and a drop on the **female** thread only. Dry gives galling in our tests after about 40 cycles:\n\n```\n             cycles   torque out\ndry              38       2.1 Nm\nmedium lock    400+       9.5 Nm\nhigh lock      400+      17.8 Nm\n```',
      ],
      ['tomasz', 'Anti-seize on the blade bolts, because they come out every week.'],
      [
        'marcus',
        '@grace.whitlock wrote:\n> a drop on the **female** thread only\n\nThat may be our mistake: we wet the screw. Thank you both.',
      ],
      [
        'ingrid',
        'For the ones that have seized already, in this order:\n\n1. Heat the pyramid to about 120 °C, not the socket.\n2. A new bit, pressed in with the arbor press.\n3. Only then the drill.\n\n@marcus.bell, which bit size do you use? Ours rounded until we went from 4 mm to T20.',
      ],
    ],
  },
  {
    author: 'hannah',
    title: 'Impulse on the sound side before and after a wider trail sole',
    description:
      'Figures to go with Tomasz’s case: twelve strides each at 12 km/h, wooden trail, same shoe. Vertical impulse on the sound side 6 % lower, braking impulse unchanged.',
    category: 'research',
    days_ago: 4,
    posts: [
      ['grace', 'Could you share the raw force traces? I would like to look at loading rate.'],
      ['hannah', 'Uploaded to the hospital share; ask me for the link by message.'],
    ],
  },
  {
    author: 'leila',
    title: 'Back at the piano after a partial hand loss',
    description:
      'A patient of mine played at her daughter’s school on Friday: left hand as always, right hand with two passive fingers set a sixth apart. There was one wrong note and no one minded.',
    category: 'success-stories',
    days_ago: 7,
    posts: [
      ['priya', 'This made my morning.'],
      ['sofia', 'May I ask how the fingers were covered? Silicone is slippery on ivory.'],
      ['leila', 'Thin leather tips, glued. They want replacing every month or so.'],
    ],
  },
  {
    author: 'olu',
    title: 'From a wheelchair to selling at the market again',
    description:
      'One year with a pressed-carbon foot and a polypropylene socket. She walks four kilometres a day and trains two others in our workshop on Saturdays.',
    category: 'success-stories',
    days_ago: 15,
    posts: [['ruth', 'Please write this up as a case when you can. The training on Saturdays above all.']],
  },
  {
    author: 'sofia',
    title: 'PLA, PETG or nylon for covers that live in hot cars?',
    description:
      'My open covers in PLA go oval above about 55 °C. What do you print instead, and how do you finish it?',
    category: 'materials',
    days_ago: 19,
    posts: [
      ['priya', 'PETG for anything a child owns. It is tougher and does not mind the radiator.'],
      [
        'olu',
        'PETG too. What we have seen after a year in the sun:\n\n- clear: yellow, and a little brittle at the clips\n- white: as new\n- black: as new, but _hot_ to touch at noon',
      ],
      [
        'grace',
        'Annealed PLA holds to about 90 °C if you can live with 2 % shrinkage. Measure before the clamp.',
      ],
    ],
  },
  {
    author: 'daniel',
    title: 'Socket windows: who has long-term pictures of the skin?',
    description:
      'I am collecting experience with windows over bony areas. Oedema at the edge is the worry everyone names and few have seen.',
    category: 'research',
    days_ago: 26,
    posts: [
      ['kenji', 'Two partial-foot sockets with a window, four years. A faint ring, no oedema.'],
      ['ingrid', 'We saw it once, in a window larger than a hand. With an elastic panel it went away.'],
    ],
  },
  {
    author: 'kenji',
    title: 'How do you explain wearing time to someone with a first prosthesis?',
    description:
      'I use a paper diary for the first fortnight: on, off, what the skin looked like ten minutes later. People like it, but half of them fill it in on the way to the appointment. What works for you?',
    category: 'general',
    days_ago: 29,
    posts: [
      [
        'hannah',
        'One hour on, ten minutes off and look, for three days. Then two hours. I draw it as a staircase.',
      ],
      ['leila', 'A kitchen timer. It rings, they look, they turn it again. No writing at all.'],
      [
        'daniel',
        '@leila.haddad wrote:\n> A kitchen timer.\n\nStolen. For those who cannot see the skin themselves I add a hand mirror on a stick.',
      ],
      [
        'ruth',
        'Either way, say which redness is fine. **Gone after ten minutes** is the sentence they remember.',
      ],
      [
        'olu',
        'We let people of the same age explain it to each other, with one of us sitting there saying nothing.',
      ],
      ['kenji', 'The timer and the sentence. Thank you; I shall report in spring.'],
    ],
  },
  {
    author: 'amara',
    title: 'Workshop day in Leeds: bring a terminal device',
    description:
      'A free day for people who make terminal devices, with a bench, printers and cake. Date and address are in the reply below. The list is full now, so this topic is closed.',
    category: 'general',
    days_ago: 33,
    is_locked: true,
    posts: [
      ['amara', 'Saturday the 12th, from ten. Riverside Limb Centre, Leeds; ring at the side door.'],
      ['leila', 'I am bringing the typing pegs and a keyboard.'],
    ],
  },
];

/** Demo suggestions for the resources page; the organisations are real, the submitters are not. */
export const demoResources: {
  author: string;
  resource_name: string;
  resource_url: string;
  description: string;
  category: string;
  status: 'approved' | 'pending';
}[] = [
  {
    author: 'ruth',
    resource_name: 'Orthotics Prosthetics Canada',
    resource_url: 'https://opcanada.ca/',
    description:
      'The Canadian credentialing body; its canons of ethical conduct and education standards are worth reading elsewhere too.',
    category: 'Professional Organizations',
    status: 'approved',
  },
  {
    author: 'hannah',
    resource_name: 'Northwestern University Prosthetics-Orthotics Center',
    resource_url: 'https://www.nupoc.northwestern.edu/',
    description:
      'Teaching and research under one roof since 1958; the reports of its research groups are a good way into socket design.',
    category: 'Educational Resources',
    status: 'approved',
  },
  {
    author: 'grace',
    resource_name: 'ISO 22523: external limb prostheses and orthoses',
    resource_url: 'https://www.iso.org/standard/37546.html',
    description:
      'What a finished device has to withstand, and what its user has to be told; useful for judging home-made parts too.',
    category: 'Standards & Guidelines',
    status: 'pending',
  },
];
