/** Texts of the room Deliveries. */
import type { Table, Words } from '../texts.js';

export const deliveries = {
  receivers: ['Receivers', 'Empfänger'],
  addReceiver: ['Add a receiver', 'Empfänger hinzufügen'],
  noReceivers: ['There are no receivers yet.', 'Es gibt noch keine Empfänger.'],
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
  noWorker: (n: number) => [`${n} waiting, and no worker is sending.`, `${n} warten, und kein Worker sendet.`],
  lastWorker: ['Last pass of a worker', 'Letzter Lauf eines Workers'],
  startWorker: ['Start one on the server:', 'Auf dem Server starten:'],
  sendNow: ['Send now', 'Jetzt senden'],
  sendAgain: ['Send again', 'Erneut senden'],
  again: ['It is sent again within seconds by a worker.', 'Ein Worker sendet es in Sekunden erneut.'],
  noAttempts: ['It was not tried yet.', 'Es wurde noch nicht versucht.'],
  outcomes: {
    redirected: ['It redirects to another address. Change its address.', 'Er leitet weiter. Ändern Sie seine Adresse.'],
    rejected: [
      'The receiver refuses the message. Its own log says why; often it has another secret.',
      'Der Empfänger lehnt die Nachricht ab. Sein Protokoll sagt warum; oft hat er ein anderes Geheimnis.',
    ],
    rate_limited: ['The receiver gets too many messages.', 'Der Empfänger bekommt zu viele Nachrichten.'],
    gone: ['It no longer exists, and was turned off.', 'Es gibt ihn nicht mehr; er wurde ausgeschaltet.'],
    server_error: ['The receiver has an error of its own. See its log.', 'Er hat einen Fehler. Siehe sein Protokoll.'],
    timeout: ['The receiver did not answer in time.', 'Der Empfänger antwortete nicht rechtzeitig.'],
    unreachable: [
      'No connection: the address is wrong, or the receiver is down or behind a firewall.',
      'Keine Verbindung: Die Adresse ist falsch, oder der Empfänger ist aus oder hinter einer Firewall.',
    ],
    refused: ['The settings do not allow this address.', 'Die Einstellungen erlauben diese Adresse nicht.'],
    unsigned: ['The secret cannot be decrypted. Make a new one.', 'Das Geheimnis ist nicht lesbar. Erneuern Sie es.'],
    interrupted: ['The worker was stopped. It is sent again.', 'Der Worker wurde beendet. Es wird erneut gesendet.'],
    abandoned: ['Every attempt was used up.', 'Alle Versuche sind verbraucht.'],
  } as Words,
  noAnswers: ['Answers of receivers are not kept.', 'Antworten der Empfänger werden nicht aufbewahrt.'],
  keepAnswers: ['Keep answers from now on', 'Antworten ab jetzt aufbewahren'],
  payload: ['What is sent', 'Was gesendet wird'],
} satisfies Table;
