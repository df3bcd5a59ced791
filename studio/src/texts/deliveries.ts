/** Texts of the room Deliveries. */
import type { Table, Words } from '../texts.js';

export const deliveries = {
  receivers: ['Receivers', 'Empfänger'],
  addReceiver: ['Add a receiver', 'Empfänger hinzufügen'],
  noReceivers: [
    'There are no receivers yet. Add one, and it gets a message for each change of the site.',
    'Es gibt noch keine Empfänger. Ein Empfänger bekommt eine Nachricht zu jeder Änderung der Site.',
  ],
  all: ['All deliveries', 'Alle Zustellungen'],
  none: ['Nothing was sent yet.', 'Es wurde noch nichts gesendet.'],
  gone: ['This receiver was removed.', 'Dieser Empfänger wurde entfernt.'],
  failingSince: (times: number) => [
    `Failed ${times === 1 ? 'once' : `${times} times in a row`}, since`,
    `${times === 1 ? 'Einmal' : `${times}-mal in Folge`} fehlgeschlagen, seit`,
  ],
  disables: ['If none succeeds, it is turned off on', 'Gelingt keine, wird er ausgeschaltet am'],
  off: ['It is off.', 'Er ist aus.'],
  offMeans: ['New events are not sent here.', 'Neue Ereignisse werden nicht hierhin gesendet.'],
  test: ['Send a test', 'Test senden'],
  replay: ['Send missed ones again', 'Verpasste erneut senden'],
  queued: (count: number) => [
    count === 0
      ? 'Nothing to send: nothing failed or was cancelled since then.'
      : `${count} will be sent again within seconds, by a running worker.`,
    count === 0
      ? 'Nichts zu senden: Seither ist nichts fehlgeschlagen und nichts abgebrochen worden.'
      : `${count} werden in Sekunden erneut gesendet, von einem laufenden Worker.`,
  ],
  testArrived: ['The test arrived.', 'Der Test kam an.'],
  testFailed: ['The test did not arrive:', 'Der Test kam nicht an:'],
  details: ['Details', 'Einzelheiten'],
  noWorker: (waiting: number) => [
    `${waiting} waiting, and no worker is sending.`,
    `${waiting} warten, und kein Worker sendet.`,
  ],
  lastWorker: ['The last one ran on', 'Der letzte lief am'],
  neverWorker: ['None has run yet.', 'Es lief noch keiner.'],
  startWorker: ['Start one on the server:', 'Auf dem Server starten:'],
  receiverOff: [
    'The receiver is off. Turn it on to send this again.',
    'Der Empfänger ist aus. Schalten Sie ihn ein, um dies erneut zu senden.',
  ],
  sendNow: ['Send now', 'Jetzt senden'],
  sendAgain: ['Send again', 'Erneut senden'],
  again: [
    'It is sent again within seconds, by a running worker. This page follows.',
    'Es wird in Sekunden erneut gesendet, von einem laufenden Worker. Diese Seite zeigt es.',
  ],
  noAttempts: ['It was not tried yet.', 'Es wurde noch nicht versucht.'],
  outcomes: {
    redirected: [
      'The receiver sends on to another address, which deliveries do not follow. Change its address.',
      'Der Empfänger leitet weiter; dem folgen Zustellungen nicht. Ändern Sie seine Adresse.',
    ],
    rejected: [
      'The receiver refuses the message. Its own log says why; often it has another secret.',
      'Der Empfänger lehnt die Nachricht ab. Sein Protokoll sagt warum; oft hat er ein anderes Geheimnis.',
    ],
    rate_limited: ['The receiver gets too many messages.', 'Der Empfänger bekommt zu viele Nachrichten.'],
    gone: [
      'The receiver says that it does not exist any more, and was turned off.',
      'Der Empfänger sagt, dass es ihn nicht mehr gibt, und wurde ausgeschaltet.',
    ],
    server_error: [
      'The receiver has an error of its own. Its log says which.',
      'Der Empfänger hat selbst einen Fehler. Sein Protokoll sagt welchen.',
    ],
    timeout: ['The receiver did not answer in time.', 'Der Empfänger antwortete nicht rechtzeitig.'],
    unreachable: [
      'No connection: the address is wrong, or the receiver is down or behind a firewall.',
      'Keine Verbindung: Die Adresse ist falsch, oder der Empfänger ist aus oder hinter einer Firewall.',
    ],
    refused: [
      'The settings of this site do not allow this address. Nothing was sent.',
      'Die Einstellungen dieser Site erlauben diese Adresse nicht. Es wurde nichts gesendet.',
    ],
    unsigned: [
      'The secret cannot be decrypted, so nothing was sent. Make a new secret.',
      'Das Geheimnis lässt sich nicht entschlüsseln; es wurde nichts gesendet. Erzeugen Sie ein neues.',
    ],
    interrupted: [
      'The worker was stopped while it sent. It is sent again.',
      'Der Worker wurde beim Senden beendet. Es wird erneut gesendet.',
    ],
    abandoned: ['Every attempt was used up.', 'Alle Versuche sind verbraucht.'],
  } as Words,
  noAnswers: [
    'What receivers answer is not kept. Keep it to see the reasons that they give.',
    'Antworten der Empfänger werden nicht aufbewahrt. Bewahren Sie sie auf, um ihre Gründe zu sehen.',
  ],
  keepAnswers: ['Keep answers from now on', 'Antworten ab jetzt aufbewahren'],
  payload: ['What is sent', 'Was gesendet wird'],
} satisfies Table;
