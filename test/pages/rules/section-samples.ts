/** One good example of the data of each shipped section type, by key. */
export const sectionSamples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  hero: {
    title: 'Bicycles that outlive fashions',
    description: 'Built to order in our own workshop.\nServiced for as long as you ride them.',
    button_label: 'Book a fitting',
    button_url: '/workshop/fitting.html',
    background: { url: '/media/workshop-morning.jpg', width: 1600, height: 900 },
    alignment: 'center',
  },
  richtext: {
    content:
      '<h2>How we choose steel</h2><p>Every tube is <strong>measured twice</strong> before it is cut. Read <a href="/journal/steel.html">why that matters</a>.</p><ul><li>Reynolds 725</li><li>Columbus Zona</li></ul>',
  },
  image: {
    image: { url: '/media/brazing.jpg', width: 1200, height: 800 },
    alt: 'A frame builder brazing a lug',
    caption: 'Brazing takes a steady hand and about forty minutes.',
  },
  gallery: {
    title: 'From the workshop',
    items: [
      {
        image: { url: '/media/lathe.jpg' },
        alt: 'A lathe with a steel tube',
        caption: 'Cutting to length',
      },
      {
        image: { url: '/media/paint.jpg', crops: { default: { url: '/media/paint-square.jpg' } } },
        alt: 'A green frame on a hook',
      },
    ],
  },
  video: { title: 'A wheel in four minutes', video: { url: '/media/wheel.mp4', poster: '/media/wheel.jpg' } },
  faq: {
    title: 'Before you order',
    items: [
      {
        question: 'How long does a frame take?',
        answer: '<p>About <em>ten weeks</em> from your fitting.</p>',
      },
      { question: 'Do you repair other makes?', answer: '<p>Yes, if they are made of steel.</p>' },
    ],
  },
  cards: {
    title: 'What we do',
    items: [
      { title: 'Frames', text: 'Road, touring and cargo.\nMade to measure.' },
      { title: 'Wheels', text: 'Laced and trued by hand.' },
      { title: 'Service' },
    ],
  },
  stats: {
    title: 'Thirty years in figures',
    items: [
      { value: '2,140', label: 'frames built' },
      { value: '98 %', label: 'still on the road' },
    ],
  },
  testimonials: {
    title: 'Riders say',
    items: [
      {
        quote: 'It fits as if I had grown with it.',
        name: 'Mara Linde',
        role: 'Commuter',
        avatar: { url: '/media/mara.jpg' },
      },
      { quote: 'Four thousand kilometres, one flat.', name: 'Jon Askar' },
    ],
  },
  cta: {
    title: 'Ride one before you decide',
    text: 'We keep five sizes for test rides.',
    button_label: 'Reserve a ride',
    button_url: '/test-ride.html?from=cta&size=56',
  },
  contact: {
    title: 'Visit the workshop',
    text: 'Tuesday to Saturday, from ten to six.',
    phone: '+49 (0) 30 555 01-20',
    email: 'hello@bicycles.example',
    button_label: 'Find the way',
    button_url: 'https://maps.example/workshop',
  },
  spacer: { size: 'lg' },
};
