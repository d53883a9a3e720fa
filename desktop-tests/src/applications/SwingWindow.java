import java.awt.*;
import javax.swing.*;
import javax.swing.table.DefaultTableModel;

/** A window with one of each of what Swing has. */
public class SwingWindow {
    public static void main(String[] arguments) {
        SwingUtilities.invokeLater(SwingWindow::show);
    }

    static void show() {
        JFrame frame = new JFrame("Swing window");
        JMenuBar bar = new JMenuBar();
        JMenu file = new JMenu("File");
        file.add(new JMenuItem("Open"));
        file.add(new JMenuItem("Quit"));
        bar.add(file);
        frame.setJMenuBar(bar);
        JPanel panel = new JPanel(new FlowLayout());
        JTextField name = new JTextField("Ada", 12);
        JLabel label = new JLabel("Name");
        label.setLabelFor(name);
        panel.add(label);
        panel.add(name);
        panel.add(new JPasswordField("hidden word", 12));
        panel.add(new JButton("Press"));
        JButton broken = new JButton("Out of order");
        broken.setEnabled(false);
        panel.add(broken);
        JRadioButton one = new JRadioButton("One", true);
        JButton more = new JButton("More");
        more.addActionListener(event -> {
            panel.add(new JLabel("Added before all others"), 0);
            panel.remove(one);
            frame.validate();
        });
        panel.add(more);
        panel.add(new JCheckBox("Choose", true));
        panel.add(one);
        panel.add(new JSlider(0, 100, 30));
        panel.add(new JComboBox<>(new String[] {"Apples", "Pears"}));
        panel.add(new JScrollPane(new JList<>(new String[] {"Red", "Green", "Blue"})));
        Object[][] cells = {{"Rent", "900"}, {"Food", "300"}};
        JTable table = new JTable(new DefaultTableModel(cells, new Object[] {"What", "Much"}));
        table.setPreferredScrollableViewportSize(new Dimension(160, 60));
        panel.add(new JScrollPane(table));
        frame.add(panel);
        frame.setDefaultCloseOperation(JFrame.EXIT_ON_CLOSE);
        frame.setSize(420, 420);
        frame.setVisible(true);
    }
}
