export const metadata = { title: 'This page does not exist' };

export default function NotFound() {
  return (
    <>
      <h1>This page does not exist</h1>
      <p className="lead">It may have moved. The menu and the search lead on.</p>
    </>
  );
}
